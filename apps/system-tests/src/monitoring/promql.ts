import { parser } from '@prometheus-io/lezer-promql';

/** A metric that an expression asks for, and the labels it is queried by. */
interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** What an expression consists of, as far as tests look at it. */
interface PromQl {
  /** Where the grammar does not allow what stands there. */
  readonly faults: readonly string[];
  readonly selectors: readonly Selector[];
  /** The labels that results are grouped or matched by. */
  readonly groupedBy: readonly string[];
}

/** Reads an expression; Grafana's own variables stand for what it puts there. */
export function readPromQl(expression: string): PromQl {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const faults: string[] = [];
  const selectors: { metric: string; labels: string[] }[] = [];
  const groupedBy: string[] = [];
  let inGrouping = false;
  parser.parse(text).iterate({
    enter: ({ type, name, from, to }) => {
      const said = text.slice(from, to);
      if (type.isError) faults.push(`at ${from}: ${text.slice(Math.max(0, from - 15), from + 15)}`);
      else if (name === 'VectorSelector') selectors.push({ metric: '', labels: [] });
      else if (name === 'Identifier') last(selectors).metric = said;
      else if (name === 'GroupingLabels') inGrouping = true;
      else if (name === 'LabelName') (inGrouping ? groupedBy : last(selectors).labels).push(said);
    },
    leave: ({ name }) => {
      if (name === 'GroupingLabels') inGrouping = false;
    },
  });
  return { faults, selectors, groupedBy };
}

function last<T>(list: readonly T[]): T {
  const found = list.at(-1);
  if (!found) throw new Error('a part of a selector stands outside of one');
  return found;
}
