import { describe, expect, it } from '@jest/globals';
import type { IssueTokenRequest, IssueTokenResponse, TokenServiceService } from '@reseller/contracts';
import type { RpcClient, RpcHandlers } from './index';

type Client = RpcClient<typeof TokenServiceService>;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

describe('types taken from a generated definition', () => {
  it('when a definition is generated, then requests and responses are its messages', () => {
    const request: Equal<Parameters<Client['issueToken']>[0], IssueTokenRequest> = true;
    const response: Equal<ReturnType<Client['issueToken']>, Promise<IssueTokenResponse>> = true;
    expect([request, response]).toEqual([true, true]);
  });

  it('when a method has no handler, then it does not compile', () => {
    // @ts-expect-error the methods are missing
    const handlers: RpcHandlers<typeof TokenServiceService> = {};
    expect(handlers).toEqual({});
  });
});
