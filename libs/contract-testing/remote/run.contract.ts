import { describe, it } from '@jest/globals';
import { CONTRACTS } from '../src/contracts';
import { describeContract } from '../src/describe-contract';

// What `npm run contract -- <app> --address host:port` runs; run-contract.mjs reads the command line.
const { app, address, bus, dependencies } = JSON.parse(process.env['CONTRACT_RUN'] ?? '{}') as {
  app: string;
  address: string;
  bus?: string;
  dependencies: Record<string, string>;
};
const contract = CONTRACTS[app];
if (!contract) {
  describe(app, () => it('has a contract', () => Promise.reject(new Error(`${app} has none`))));
} else {
  describeContract(
    contract,
    async () => ({ address, bus: bus ? { url: bus } : undefined, stop: async () => undefined }),
    dependencies,
  );
}
