// Reserve + capture of one hot wallet and of a hundred, and balance reads, through the running service's gRPC port.
// Run: npx esbuild apps/finance/bench/hot-wallet.ts --bundle --platform=node --packages=external --outfile=tmp/bench.js
//      GRPC_ADDRESS=127.0.0.1:<finance's port> node tmp/bench.js [clients] [seconds]
import { Environment, FundsServiceService, WalletServiceService } from '@reseller/contracts';
import { createRpcClient } from '@reseller/rpc';
import { v7 as uuidv7 } from 'uuid';

const address = process.env['GRPC_ADDRESS'] ?? '';
const clients = Number(process.argv[2] ?? 16);
const seconds = Number(process.argv[3] ?? 5);
const options = { name: 'finance', defaultDeadlineMs: 30_000 };
const funds = createRpcClient(FundsServiceService, address, options);
const wallets = createRpcClient(WalletServiceService, address, options);
const call = { requestId: 'bench', operator: 'bench' };

type Ref = { partnerId: string; environment: Environment };

async function openWallet(): Promise<Ref> {
  const ref = { partnerId: uuidv7(), environment: Environment.LIVE };
  await wallets.openWallet(ref, call);
  await wallets.creditWallet({ ...ref, amount: '1000000', notes: '', idempotencyKey: 'bench' }, call);
  return ref;
}

async function order(ref: Ref): Promise<void> {
  const key = uuidv7();
  await funds.reserveFunds(
    {
      ...ref,
      reservationKey: key,
      orderGlobalId: key,
      amount: '0.02',
      pinned: true,
      submittedAt: new Date(),
    },
    call,
  );
  await funds.captureFunds({ ...ref, reservationKey: key, amount: '0.02', notes: 'bench' }, call);
}

async function measure(name: string, work: (client: number) => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < end) {
        const start = performance.now();
        await work(client);
        took.push(performance.now() - start);
      }
    }),
  );
  took.sort((a, b) => a - b);
  const at = (share: number): string => (took[Math.floor(took.length * share)] ?? 0).toFixed(1);
  process.stdout.write(
    `${name}: ${Math.round(took.length / seconds)}/s with ${clients} clients, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
  );
}

async function main(): Promise<void> {
  const refs = await Promise.all(Array.from({ length: 100 }, openWallet));
  const pick = (): Ref => refs[Math.floor(Math.random() * refs.length)] as Ref;
  await measure('reserve + capture, one wallet', () => order(refs[0] as Ref));
  await measure('reserve + capture, 100 wallets', () => order(pick()));
  await measure('check funds, one wallet', () => funds.checkFunds(refs[0] as Ref, call));
  await measure('check funds, 100 wallets', () => funds.checkFunds(pick(), call));
  funds.close();
  wallets.close();
}

void main();
