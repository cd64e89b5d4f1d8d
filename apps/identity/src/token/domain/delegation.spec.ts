import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideSubject, type TokenPartner } from './delegation';

/** A random forest: the parent of partner n is one of those before it, or none. */
const forest = fc
  .array(
    fc.record({ parent: fc.nat(), isRoot: fc.boolean(), isActive: fc.boolean(), isFrozen: fc.boolean() }),
    {
      minLength: 2,
      maxLength: 25,
    },
  )
  .map((nodes) =>
    nodes.reduce<TokenPartner[]>((partners, { parent, isRoot, isActive, isFrozen }, index) => {
      const above = index === 0 || isRoot ? undefined : partners[parent % index];
      const id = `partner-${index}`;
      return [...partners, { id, globalId: id, path: [...(above?.path ?? []), id], isActive, isFrozen }];
    }, []),
  );

describe('delegation', () => {
  it('when a partner acts for another, then only an active partner anywhere below it is allowed, and no frozen one', () => {
    fc.assert(
      fc.property(forest, (partners) => {
        for (const caller of partners) {
          for (const target of partners) {
            const decision = decideSubject(caller, true, target);
            const isBelow = target.path.indexOf(caller.id) >= 0 && target !== caller;
            if (!isBelow) expect(decision).toEqual({ refusal: 'FORBIDDEN_NOT_YOUR_DESCENDANT' });
            else if (!target.isActive || target.isFrozen)
              expect(decision).toEqual({ refusal: 'FORBIDDEN_DELEGATION_TARGET_INVALID' });
            else expect(decision).toEqual({ subject: target, isDelegated: true });
          }
        }
      }),
    );
  });

  it('when nobody is named, then the caller speaks for itself', () => {
    const caller = { id: 'a', globalId: 'A', path: ['a'], isActive: true, isFrozen: false };
    expect(decideSubject(caller, false, undefined)).toEqual({ subject: caller, isDelegated: false });
    expect(decideSubject(caller, true, undefined)).toEqual({ refusal: 'FORBIDDEN_NOT_YOUR_DESCENDANT' });
  });
});
