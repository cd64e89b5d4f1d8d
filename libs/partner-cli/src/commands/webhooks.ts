import { createHmac, randomBytes } from 'node:crypto';
import type { InputOf, ResellerClient, Schema } from '@reseller/client';
import type { Command } from 'commander';
import { performAs, type Context } from '../context.ts';
import { EXIT_CODES, UsageError } from '../exit-codes.ts';
import { follow } from './events.ts';

/** Sends an event as the platform would: signed over the time and the raw bytes. Returns what the receiver responded. */
async function forward(url: string, secret: string, event: Schema<'Event'>): Promise<string> {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Partner-Reseller-Webhooks/1.0',
        'X-Service-Timestamp': timestamp,
        'X-Service-Signature': `sha256=${signature}`,
        'X-Service-Event-Id': event.eventId,
        'X-Service-Event-Type': event.eventType,
      },
      body,
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return String(response.status);
  } catch (error) {
    const { cause, message } = error as Error;
    return `no response (${cause instanceof Error ? cause.message : message})`;
  }
}

interface ListenOptions {
  forward: string;
  secret?: string;
  type?: string[];
}

async function listen({ inNumbers, output }: Context, options: ListenOptions): Promise<void> {
  const secret = options.secret ?? `local_${randomBytes(24).toString('base64url')}`;
  const client = inNumbers();
  output.line({ secret }, `Signing with this secret: ${secret}`);
  await follow(async (signal) => {
    const after = await endOfFeed(client, signal);
    output.line(
      { listening: options.forward },
      `Forwarding what happens from now on to ${options.forward}; Ctrl-C ends it.`,
    );
    const types = options.type && { eventType: options.type };
    for await (const event of client.followEvents({ signal, after, ...types })) {
      const result = await forward(options.forward, secret, event);
      const { eventId, eventType } = event;
      output.line({ eventId, eventType, result }, `${eventType}  ${eventId}  ${result}`);
    }
  });
}

/** The cursor behind everything there is. It moves past the events of other types, so the rarest type is the shortest way. */
async function endOfFeed(client: ResellerClient, signal: AbortSignal): Promise<string> {
  for (let after: string | undefined; ;) {
    const from = after ? { after } : {};
    const page = await client.listEvents(
      { limit: 100, eventType: 'variant.back-in-stock', ...from },
      { signal },
    );
    if (!page.hasMore) return page.nextCursor;
    after = page.nextCursor;
  }
}

/** The subscription that is named, or the only one there is. */
async function subscriptionOf({ client }: Context, id: string | undefined): Promise<string> {
  if (id) return id;
  const { items, pagination } = await client.listWebhooks();
  if (pagination.totalCount === 1 && items[0]) return items[0].id;
  throw new UsageError(
    pagination.totalCount === 0
      ? 'there is no subscription: `reseller webhooks create <url>` makes one'
      : 'there are several subscriptions: name one by --webhook; `reseller webhooks list` shows them',
  );
}

/** `reseller webhooks`: subscriptions, and trying receivers out. */
export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('subscriptions, and trying your receiver out');
  webhooks
    .command('list', { isDefault: true })
    .description('your subscriptions')
    .action((_: object, command: Command) =>
      performAs(command, ({ client, output }) =>
        output.list(
          client.listWebhooks({ pageSize: 100 }),
          {
            ID: ({ id }) => id,
            URL: ({ url }) => url,
            ACTIVE: ({ isActive }) => isActive,
            EVENTS: ({ eventTypes }) => eventTypes,
            LAST: ({ lastDeliveryStatus }) => lastDeliveryStatus,
          },
          Infinity,
        ),
      ),
    );
  webhooks
    .command('create <url> [types...]')
    .description('subscribe a receiver; order.completed and order.failed unless you name types')
    .action((url: string, types: string[], _: object, command: Command) =>
      performAs(command, async ({ client, output }) => {
        const eventTypes = types.length > 0 ? types : ['order.completed', 'order.failed'];
        output.record(await client.createWebhook({ url, eventTypes } as InputOf<'createWebhook'>));
        output.say('The secret is shown this once.');
      }),
    );
  webhooks
    .command('listen')
    .description('send your events to a receiver on this machine, signed anew, as they happen')
    .requiredOption('--forward <url>', 'the receiver, such as http://localhost:3000/hook')
    .option('--secret <secret>', 'sign with this secret; a new one unless given')
    .option('--type <type...>', 'only these types')
    .action((options: ListenOptions, command: Command) =>
      performAs(command, (context) => listen(context, options)),
    );
  webhooks
    .command('trigger <eventType>')
    .description('have an example of this type sent to a subscription')
    .option('--webhook <id>', 'which; the only one unless given')
    .action((eventType: string, { webhook }: { webhook?: string }, command: Command) =>
      performAs(command, async (context) => {
        const id = await subscriptionOf(context, webhook);
        context.output.record(
          await context.client.testFireWebhook({ id, eventType } as InputOf<'testFireWebhook'>),
        );
      }),
    );
  webhooks
    .command('diagnose [id]')
    .description('find out what is wrong with a receiver, by sending it what is right and what is not')
    .action((named: string | undefined, _: object, command: Command) =>
      performAs(command, async (context) => {
        const { client, output } = context;
        const id = await subscriptionOf(context, named);
        const diagnosis = await output.during('diagnosing', () =>
          client.diagnoseWebhook({ id }, { timeoutMs: 180_000 }),
        );
        if (output.json) output.record(diagnosis);
        else {
          output.say(`grade ${diagnosis.grade}`);
          type Check = (typeof diagnosis.checks)[number];
          const columns = {
            CHECK: ({ name }: Check) => name,
            RESULT: ({ result }: Check) => result,
            WHY: ({ message }: Check) => message,
          };
          await output.list(diagnosis.checks, columns, Infinity);
        }
        if (diagnosis.checks.some(({ result }) => result === 'Fail')) process.exitCode = EXIT_CODES.business;
      }),
    );
}
