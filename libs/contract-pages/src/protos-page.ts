import {
  ScalarType,
  type DescEnum,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type DescService,
} from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import {
  callersOf,
  commentOf,
  EVENT_FILES,
  FILES,
  rpcComment,
  serviceComment,
  topicOf,
} from '@reseller/contract-testing';
import { ERROR_CATALOGUE } from '@reseller/errors';

const REPEATS: Record<MethodOptions_IdempotencyLevel, string> = {
  [MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN]: 'no: it must not be sent again unasked',
  [MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS]: 'yes: it changes nothing',
  [MethodOptions_IdempotencyLevel.IDEMPOTENT]: 'yes: a repetition has no further effect',
};

const INTRODUCTION = `# The protos

What services say to each other: every service with its RPCs, their requests, responses and errors, and every event with its
topic. Generated from \`proto/\` by \`npm run contract-pages\`.

An error travels as the gRPC status beside its code and, in the binary trailer \`reseller-error-bin\`, as
\`reseller.common.v1.ErrorDetail\`. Beside the errors listed, any RPC may fail with SERVICE_UNAVAILABLE (the service or what it
needs is away; nothing is known of the effect) and INTERNAL_ERROR (a fault, also of the caller's: no partner in the metadata
of an RPC that speaks for one). The metadata is in [libs/rpc](../../libs/rpc/README.md). Times are UTC, decimals are text,
an absent optional field is null. Who may call an RPC is refused otherwise under mutual TLS.
`;

const anchor = (name: string): string => name.toLowerCase().replaceAll('.', '');
const cell = (text: string): string => text.replaceAll('\n', ' ').replaceAll('|', '\\|').trim();
const packageOf = (file: DescFile): string => file.proto.package;

/** dist/docs/protos.md. */
export function protosPage(): string {
  const packages = [...new Set(FILES.map(packageOf))];
  const parts = packages.map((name) =>
    packagePart(
      name,
      FILES.filter((file) => packageOf(file) === name),
    ),
  );
  return [INTRODUCTION, contents(packages), ...parts].join('\n');
}

function contents(packages: readonly string[]): string {
  const lines = packages.flatMap((name) => {
    const files = FILES.filter((file) => packageOf(file) === name);
    const services = files.flatMap((file) => file.services);
    return [
      `- [${name}](#${anchor(name)})`,
      ...services.map(
        (service) =>
          `  - [${service.name}](#${anchor(service.name)}): ${service.methods
            .map((method) => `[${method.name}](#${anchor(`${service.name}.${method.name}`)})`)
            .join(' · ')}`,
      ),
      ...files
        .filter((file) => EVENT_FILES.has(file.name))
        .map((file) => `  - events on \`${topicOf(file).topic}\``),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function packagePart(name: string, files: readonly DescFile[]): string {
  const shown = new Set(
    files.flatMap(({ services }) =>
      services.flatMap(({ methods }) => methods.flatMap(({ input, output }) => [input, output])),
    ),
  );
  const rest = files
    .filter((file) => !EVENT_FILES.has(file.name))
    .flatMap(({ messages }) => messages)
    .filter((message) => !shown.has(message));
  const enums = files.flatMap((file) => file.enums);
  return [
    `## ${name}\n`,
    ...files.flatMap(({ services }) => services.map(servicePart)),
    ...files.filter((file) => EVENT_FILES.has(file.name)).map(eventsPart),
    ...(rest.length > 0 ? [`### Messages of ${name}\n`, ...rest.map(messagePart)] : []),
    ...(enums.length > 0 ? [`### Enums of ${name}\n`, ...enums.map(enumPart)] : []),
  ].join('\n');
}

function servicePart(service: DescService): string {
  return [`### ${service.name}\n`, `${serviceComment(service)}\n`, ...service.methods.map(methodPart)].join(
    '\n',
  );
}

function methodPart(method: DescMethod): string {
  const { prose, errors } = rpcComment(method);
  const { input, output } = method;
  return [
    `#### ${method.parent.name}.${method.name}\n`,
    ...(prose ? [`${prose}\n`] : []),
    `May be repeated: ${REPEATS[method.idempotency]}. Callers: ${callersOf(method).join(', ') || 'none named'}.\n`,
    fieldsPart(`\`${input.name}\``, input),
    fieldsPart(`\`${output.name}\``, output),
    ...(errors.length > 0
      ? [
          '| Error | gRPC status | When |\n|---|---|---|',
          ...errors.map(
            ({ code, when }) => `| ${code} | ${ERROR_CATALOGUE[code].grpc} | ${cell(when ?? '')} |`,
          ),
          '',
        ]
      : []),
  ].join('\n');
}

function eventsPart(file: DescFile): string {
  const { topic, comment } = topicOf(file);
  return [`### Events on ${topic}\n`, `${comment}\n`, ...file.messages.map(messagePart)].join('\n');
}

function messagePart(message: DescMessage): string {
  const comment = commentOf(message.file, [4, message.file.messages.indexOf(message)]);
  return [`#### ${message.name}\n`, ...(comment ? [`${comment}\n`] : []), fieldsPart('', message)].join('\n');
}

function fieldsPart(title: string, message: DescMessage): string {
  if (message.fields.length === 0) return title ? `${title}: no fields.\n` : 'No fields.\n';
  const path = [4, message.file.messages.indexOf(message), 2];
  const rows = message.fields.map((field, index) => {
    const presence = field.oneof && field.oneof.fields.length > 1 ? `one of ${field.oneof.name}` : '';
    const optional = field.proto.proto3Optional ? 'optional' : presence;
    const comment = commentOf(message.file, [...path, index]);
    return `| ${field.number} | \`${field.name}\` | ${typeOf(field)} | ${cell([optional, comment].filter(Boolean).join('. '))} |`;
  });
  return [title, '', '| # | Field | Type | |\n|---|---|---|---|', ...rows, ''].join('\n').trimStart();
}

function typeOf(field: DescField): string {
  const plain = field.message ?? field.enum;
  const name = plain
    ? plain.typeName.startsWith('google.')
      ? plain.name
      : `[${plain.name}](#${anchor(plain.name)})`
    : ScalarType[field.scalar ?? ScalarType.STRING].toLowerCase();
  return field.fieldKind === 'list' ? `repeated ${name}` : name;
}

function enumPart(type: DescEnum): string {
  const at = type.file.enums.indexOf(type);
  const rows = type.values.map((value, index) => {
    const comment = commentOf(type.file, [5, at, 2, index]);
    return `| ${value.number} | ${value.name} | ${cell(comment)} |`;
  });
  const comment = commentOf(type.file, [5, at]);
  return [`#### ${type.name}\n`, `${comment}\n`, '| # | Value | |\n|---|---|---|', ...rows, ''].join('\n');
}
