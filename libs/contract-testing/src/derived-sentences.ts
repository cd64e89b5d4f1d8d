import { expect } from '@jest/globals';
import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import type { ErrorCode } from '@reseller/errors';
import type { Case, Given, Message, Sentences, ServiceContract, Use } from './contract';
import { listSentences } from './list-sentences';
import { refusalOf, type Refusal } from './refusal';
import { invalidValues, isValidatedId, messageIn } from './schema/field-rules';
import { RPCS, rpcComment } from './schema/promised-errors';
import { byAStranger, inTheOtherEnvironment, isRepeatable, keyed, UNKNOWN } from './variations';

// What every RPC is held to, by the codes that its comment lists and by what its request's comments say of their fields.

/** What no partner owns. */
const IS_EVERYBODYS = /_(VARIANT|SCENT|BRAND|PARTNER)$/;

/** The sentences that follow for one RPC. */
export function derivedSentences({ service, isPartners, rpcs }: ServiceContract, name: string): Sentences {
  const method = RPCS.get(`${service}.${name}`);
  const { given, list } = rpcs[name] ?? {};
  if (!method || !given) return {};
  const { prose, errors } = rpcComment(method);
  const codes = errors.map(({ code }) => code);
  const missing = codes.filter((code) => code.startsWith('NOT_FOUND_'));
  const sentences = codes.includes('VALIDATION_FAILED') ? [invalid(method)] : [];
  if (method.idempotency === MethodOptions_IdempotencyLevel.IDEMPOTENT && !/\banew\b/.test(prose))
    sentences.push({
      'repeated, also at once, it replies the same': async (use, one) =>
        void (await isRepeatable()(use, one)),
    });
  const isGone = /\bNot idempotent: repeated, the \w+ is missing/.test(prose);
  const isDone = /\bNot idempotent: [^.]*\ba\s+repetition\s+is\s+(?:refused|CONFLICT_)/.test(prose);
  if (isGone) sentences.push(refuses(missing[0] as ErrorCode, { 'a repetition': repeated }));
  if (isDone) sentences.push(refuses(codes.find(isOfState) as ErrorCode, { 'a repetition': repeated }));
  if (list) sentences.push(listSentences(method, isPartners, list));
  if (codes.includes('CONFLICT_REQUEST_IN_PROGRESS')) sentences.push(keyed);
  const isSandboxOnly = codes.includes('FORBIDDEN_SANDBOX_ONLY');
  if (isSandboxOnly) sentences.push(refuses('FORBIDDEN_SANDBOX_ONLY', { 'in live': inTheOtherEnvironment }));
  // Others may have a rule of their own for the other environment.
  const isWalletsOwner = method.parent.typeName.startsWith('reseller.finance.') && !isSandboxOnly;
  if (missing.includes('NOT_FOUND_WALLET'))
    sentences.push(
      refuses('NOT_FOUND_WALLET', {
        'a partner without a wallet': byAStranger,
        ...(isWalletsOwner && { 'the environment without one': inTheOtherEnvironment }),
      }),
    );
  else
    for (const code of missing)
      sentences.push(notThere(method, code, missing.length === 1, { isPartners, isSandboxOnly }));
  return Object.assign({}, ...sentences) as Sentences;
}

/** What says that the call came too late for where its subject stands. */
const isOfState = (code: ErrorCode): boolean => /^CONFLICT_\w+_(STATE|STATUS|DECIDED|PERIOD)$/.test(code);

const repeated: Case = async (_, { call }) => {
  const first = await call().catch((error: unknown) =>
    Promise.reject(new Error('the first call fails', { cause: error })),
  );
  return call().then((reply) => ({ first, reply }));
};

/** Calls by what is wrong with each, of which every one is refused so. */
const refuses = (
  code: ErrorCode,
  calls: Readonly<Record<string, (use: Use, given: Given) => Promise<unknown>>>,
): Sentences => ({
  ...(Object.keys(calls).length > 0 && {
    [`${code}: ${Object.keys(calls).join(', ')}`]: async (use: Use, given: Given) => {
      let refusal: Refusal | undefined;
      for (const [wrong, call] of Object.entries(calls)) {
        const made = call(use, given).then((reply) => ({ [`with ${wrong}`]: reply }));
        refusal = await refusalOf(made);
        expect([wrong, refusal.code]).toEqual([wrong, code]);
      }
      throw refusal;
    },
  }),
});

const invalid = (method: DescMethod): Sentences =>
  refuses('VALIDATION_FAILED', Object.fromEntries(invalidCalls(method, method.input)));

/** A call for each value that a comment rules out, of the request's own fields and of the messages in it. */
const invalidCalls = (
  method: DescMethod,
  message: DescMessage,
  path: readonly DescField[] = [],
): [string, Case][] =>
  message.fields.flatMap((field) => {
    const at = [...path, field];
    const name = at.map((one) => one.name).join('.');
    const own = invalidValues(field, method).map(([wrong, value]): [string, Case] => [
      `${name} ${wrong}`,
      (_, { request, call }) => call(replaced(request, at, value)),
    ]);
    const inner = messageIn(field);
    return inner ? [...own, ...invalidCalls(method, inner, at)] : own;
  });

/** A message with another value at the end of the path, in the first element where there are several. */
function replaced(message: Message, [field, ...inner]: readonly DescField[], value: unknown): Message {
  if (!field) return message;
  const made = (old: unknown): unknown => {
    if (inner.length > 0) return replaced((old ?? {}) as Message, inner, value);
    return typeof value === 'function' ? (value(old, message) as unknown) : value;
  };
  const old = message[field.name];
  const isOneOfSeveral = inner.length > 0 && field.fieldKind === 'list';
  const [first, ...others] = isOneOfSeveral ? ((old ?? []) as unknown[]) : [];
  return { ...message, [field.name]: isOneOfSeveral ? [made(first), ...others] : made(old) };
}

/** What is not there, nor what is another partner's; what is no id is no more there, unless it is invalid. */
function notThere(
  method: DescMethod,
  code: ErrorCode,
  isOnly: boolean,
  { isPartners, isSandboxOnly }: { isPartners: boolean; isSandboxOnly: boolean },
): Sentences {
  const named = method.input.fields.filter(({ name }) => /(^|_)id$|_reference$/.test(name));
  const noun = code.replace('NOT_FOUND_', '').toLowerCase();
  const match = named.find(({ name }) => noun.endsWith(name.replace(/_?(global_)?id$/, '')));
  const subject = match ?? (isOnly ? named[0] : undefined);
  if (!subject) return {};
  const { name } = subject;
  const isOwn = isPartners && subject === named[0] && !IS_EVERYBODYS.test(code);
  const of =
    (value: unknown): Case =>
    (_, { call }) =>
      call({ [name]: value } satisfies Message);
  return refuses(code, {
    [`${name} unknown`]: of(UNKNOWN),
    ...(!isValidatedId(subject) && { 'no id': of('one') }),
    ...(isOwn && { 'another partner’s': byAStranger }),
    ...(isOwn && !isSandboxOnly && { 'the other environment’s': inTheOtherEnvironment }),
  });
}
