import { setTimeout as pause } from 'node:timers/promises';
import type { OperatorClient } from '../clients/operator-client';
import { insistOn } from '../clients/insist';
import { send } from '../clients/response';

/** What freezing and revoking hold within (spec §18.5). */
const HOLDS_MS = 5_000;

/** Callers with tokens that are good until, during a standstill of the gateway, their partner is frozen or their credential revoked. */
export class ShutOut {
  private constructor(
    private readonly operator: OperatorClient,
    private readonly gatewayUrl: string,
    private readonly callers: readonly { what: string; token: string; path: string; method: string }[],
  ) {}

  static async prepare(operator: OperatorClient, gatewayUrl: string): Promise<ShutOut> {
    const frozen = await operator.newPartner({ deposit: 0 });
    const revoked = await operator.newPartner({ deposit: 0 });
    return new ShutOut(operator, gatewayUrl, [
      {
        what: 'a frozen partner',
        token: await frozen.live.accessToken(),
        path: `/partners/${frozen.id}/freeze`,
        method: 'POST',
      },
      {
        what: 'a revoked credential',
        token: await revoked.sandbox.accessToken(),
        path: `/credentials/${revoked.credentials.sandbox.clientId}`,
        method: 'DELETE',
      },
    ]);
  }

  /** To be called when the gateway stands still: shuts them out, and has them call once that must hold and again when it goes on. */
  async strike(): Promise<{ afterwards(): Promise<string[]> }> {
    for (const { path, method } of this.callers) {
      await insistOn(() => this.operator.call(path, { method }));
    }
    await pause(HOLDS_MS);
    const early = this.callers.map((caller) => this.call(caller));
    return {
      afterwards: async () => {
        const late = this.callers.map((caller) => this.call(caller));
        return (await Promise.all([...early, ...late])).flat();
      },
    };
  }

  private async call({ what, token }: { what: string; token: string }): Promise<string[]> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await send(`${this.gatewayUrl}/api/v1/wallet/balance`, { headers }).catch(
      () => undefined,
    );
    return response && response.status < 400 ? [`${what} was served by a gateway that had stood still`] : [];
  }
}
