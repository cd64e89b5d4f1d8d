import type { RpcDefinition } from '@reseller/rpc';
import { Fake, type FakeCall, type FakeHandlers } from './fake';

/** Fakes of several services, which write their calls into one log in the order they came. */
export class Fakes<App extends string> {
  readonly log: FakeCall[] = [];
  private readonly fakes: ReadonlyMap<App, Fake>;

  constructor(...apps: readonly App[]) {
    this.fakes = new Map(apps.map((app) => [app, new Fake(app, this.log)]));
  }

  /** One of them by its name under apps/. */
  of(app: App): Fake {
    const fake = this.fakes.get(app);
    if (!fake) throw new Error(`there is no fake of ${app}`);
    return fake;
  }

  /** The handlers of a service of one of them, to be replaced while it runs or before. */
  handlers<D extends RpcDefinition>(app: App, definition: D): FakeHandlers<D> {
    return this.of(app).handlers(definition);
  }

  /** Where they listen, by the setting that callers have it in, such as FINANCE_ADDRESS. */
  get addresses(): Record<string, string> {
    const nameOf = (app: string): string => `${app.toUpperCase().replaceAll('-', '_')}_ADDRESS`;
    return Object.fromEntries([...this.fakes].map(([app, { address }]) => [nameOf(app), address]));
  }

  async start(): Promise<this> {
    for (const fake of this.fakes.values()) await fake.start();
    return this;
  }

  /** Forgets the calls, and no call fails any more. */
  reset(): void {
    this.log.length = 0;
    for (const fake of this.fakes.values()) fake.recover();
  }

  async stop(graceMs = 0): Promise<void> {
    await Promise.all([...this.fakes.values()].map((fake) => fake.stop(graceMs)));
  }
}
