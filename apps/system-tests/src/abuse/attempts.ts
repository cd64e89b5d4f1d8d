import type { Random } from '../storm/random';
import { nameOf } from './operations';
import type { Operation } from './operations';
import type { Shape } from './shape';
import { BODY_SHAPES } from './shapes/body-shapes';
import { CONNECTION_SHAPES } from './shapes/connection-shapes';
import { fieldShapes } from './shapes/field-shapes';
import { FRAMING_SHAPES } from './shapes/framing-shapes';
import { HEADER_SHAPES } from './shapes/header-shapes';
import { parameterShapes } from './shapes/parameter-shapes';
import { TARGET_SHAPES } from './shapes/target-shapes';
import { TOKEN_SHAPES } from './shapes/token-shapes';

/** Whose a request seems to be. */
type CallerKind = 'with a token' | 'without a token' | 'with a wrong token';

/** One hostile request: a shape, the call it spoils, and who sends it. */
export interface Attempt {
  readonly operation: Operation;
  readonly shape: Shape;
  readonly caller: CallerKind;
}

const CALLERS: readonly CallerKind[] = ['with a token', 'without a token', 'with a wrong token'];

/** Shapes that fit every call. */
const COMMON_SHAPES: readonly Shape[] = [
  ...BODY_SHAPES,
  ...TARGET_SHAPES,
  ...HEADER_SHAPES,
  ...FRAMING_SHAPES,
  ...CONNECTION_SHAPES,
  ...TOKEN_SHAPES,
];

/** Shapes of the fields and parameters that a call declares. */
const ownShapes = (operation: Operation): Shape[] => [
  ...fieldShapes(operation),
  ...parameterShapes(operation),
];

const callersOf = ({ isAnonymous }: Operation): readonly CallerKind[] =>
  isAnonymous ? [CALLERS[0]!] : CALLERS;

/** How many of the requests that a token stops are sent: they all end at the same check. */
const WITHOUT_SHARE = 0.1;

/**
 * Everything against everything, in an order of the seed's: each common shape and each own one with a token, and of the common ones
 * a share without, and with a wrong one.
 */
export function allAttempts(operations: readonly Operation[], random: Random): Attempt[] {
  const attempts = operations.flatMap((operation) => [
    ...COMMON_SHAPES.flatMap((shape) =>
      callersOf(operation)
        .filter((caller) => caller === CALLERS[0] || random.chance(WITHOUT_SHARE))
        .map((caller) => ({ operation, shape, caller })),
    ),
    ...ownShapes(operation).map((shape) => ({ operation, shape, caller: CALLERS[0]! })),
  ]);
  return random.shuffle(attempts);
}

/** Each common shape once, and as many own ones of each call, against calls of the seed's choice. */
export function someAttempts(operations: readonly Operation[], random: Random, ownOfEach: number): Attempt[] {
  const common = COMMON_SHAPES.map((shape) => {
    const operation = random.pick(operations);
    return { operation, shape, caller: random.pick(callersOf(operation)) };
  });
  const own = operations.flatMap((operation) =>
    random
      .shuffle(ownShapes(operation))
      .slice(0, ownOfEach)
      .map((shape) => ({ operation, shape, caller: CALLERS[0]! })),
  );
  return random.shuffle([...common, ...own]);
}

/** An attempt for people. */
export const describeAttempt = ({ operation, shape, caller }: Attempt): string =>
  `${nameOf(operation)}, ${shape.name}, ${caller}`;
