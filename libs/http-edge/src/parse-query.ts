import type { FieldFault } from '@reseller/errors';
import { decodeComponent } from './request-target';

/** The known parameters of a query, each at most once. */
interface ParsedQuery {
  values: Record<string, string>;
  faults: FieldFault[];
}

/** Reads the known parameters; unknown ones are ignored, one given twice or badly encoded is a fault (spec §1.7, §1.9). */
export function parseQuery(search: string, known: ReadonlySet<string>): ParsedQuery {
  const values: Record<string, string> = {};
  const faults: FieldFault[] = [];
  for (const pair of search === '' ? [] : search.split('&')) {
    const equals = pair.indexOf('=');
    const name = decodeForm(equals === -1 ? pair : pair.slice(0, equals));
    if (name === undefined || !known.has(name)) continue;
    const value = decodeForm(equals === -1 ? '' : pair.slice(equals + 1));
    if (value === undefined) faults.push({ path: name, message: 'must be percent-encoded UTF-8' });
    else if (Object.hasOwn(values, name)) faults.push({ path: name, message: 'must be given once only' });
    else values[name] = value;
  }
  return { values, faults };
}

const decodeForm = (text: string): string | undefined => decodeComponent(text.replaceAll('+', ' '));
