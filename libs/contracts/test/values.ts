import fc from 'fast-check';
import { ScalarType } from '@bufbuild/protobuf';
import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';

/** One random message in the shapes that the two sides use. */
interface Twin {
  /** As our generated code has it. */
  readonly generated: unknown;
  /** As the independent reader returns it, defaults filled in. */
  readonly independent: unknown;
}

interface FieldTwin extends Twin {
  readonly isSet: boolean;
}

const TIMESTAMP = 'google.protobuf.Timestamp';
const twin = (value: unknown): Twin => ({ generated: value, independent: value });

/** Random messages of a type, nested ones included; every field is at times absent or at its default. */
export function anyMessage(type: DescMessage): fc.Arbitrary<Twin> {
  const plain = type.fields.filter((field) => field.oneof === undefined);
  const fields = fc.tuple(...plain.map((field) => anyField(field).map((value) => [field, value] as const)));
  const choices = fc.tuple(
    ...type.oneofs.map((oneof) =>
      fc
        .option(
          fc.oneof(...oneof.fields.map((field) => anyValue(field).map((value) => [field, value] as const))),
          {
            nil: undefined,
          },
        )
        .map((choice) => [oneof.localName, choice] as const),
    ),
  );
  return fc.tuple(fields, choices).map(([values, chosen]) => {
    const generated: Record<string, unknown> = {};
    const independent: Record<string, unknown> = {};
    for (const [field, value] of values) {
      generated[field.localName] = value.generated;
      if (value.isSet || isNullWhenUnset(field)) independent[field.localName] = value.independent;
    }
    for (const [name, choice] of chosen) {
      generated[name] = choice && { $case: choice[0].localName, value: choice[1].generated };
      if (choice) independent[choice[0].localName] = choice[1].independent;
    }
    return { generated, independent };
  });
}

// The reader shows an absent message as null, and leaves out an absent optional scalar.
function isNullWhenUnset(field: DescField): boolean {
  return field.fieldKind === 'message' && !field.proto.proto3Optional;
}

function anyField(field: DescField): fc.Arbitrary<FieldTwin> {
  const hasPresence = field.fieldKind === 'message' || field.proto.proto3Optional;
  const set = anyValue(field).map((value) => ({ ...value, isSet: true }));
  return hasPresence
    ? fc.oneof(set, fc.constant({ generated: undefined, independent: null, isSet: false }))
    : set;
}

function anyValue(field: DescField): fc.Arbitrary<Twin> {
  switch (field.fieldKind) {
    case 'scalar':
      return anyScalar(field.scalar).map(twin);
    case 'enum':
      return anyEnum(field.enum);
    case 'message':
      return anySingle(field.message);
    case 'list': {
      const item =
        field.listKind === 'message'
          ? anySingle(field.message)
          : field.listKind === 'enum'
            ? anyEnum(field.enum)
            : anyScalar(field.scalar).map(twin);
      return fc.array(item, { maxLength: 3 }).map((items) => ({
        generated: items.map((value) => value.generated),
        independent: items.map((value) => value.independent),
      }));
    }
    default:
      throw new Error(`No values for ${field.fieldKind} fields yet: teach values.ts.`);
  }
}

function anySingle(type: DescMessage): fc.Arbitrary<Twin> {
  return type.typeName === TIMESTAMP ? anyTimestamp : anyMessage(type);
}

// Our side keeps times as dates, so to the millisecond. Fractions of a second before 1970 are left out: ts-proto
// writes them with negative nanos, which it reads back right but other readers may refuse.
const anyTimestamp = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => {
    const seconds = Math.floor(date.getTime() / 1000);
    return {
      generated: date,
      independent: { seconds: String(seconds), nanos: (date.getTime() - seconds * 1000) * 1_000_000 },
    };
  });

function anyEnum(type: DescEnum): fc.Arbitrary<Twin> {
  return fc.constantFrom(...type.values.map((value) => value.name)).map(twin);
}

function anyScalar(type: ScalarType): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.STRING:
      return fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(''));
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.INT32:
      return fc.integer();
    case ScalarType.INT64:
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
    case ScalarType.BYTES:
      return fc.uint8Array().map((bytes) => Buffer.from(bytes));
    default:
      throw new Error(`No values for scalar type ${ScalarType[type]} yet: teach values.ts.`);
  }
}
