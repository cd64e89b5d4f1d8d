import { serviceNames, type ServiceName } from './services';

/** One process of a service, with the ports it keeps over its restarts. */
export interface Instance {
  /** `finance`, and `finance-2` and so on from the second one. */
  name: string;
  service: ServiceName;
  /** From 1. */
  number: number;
  grpcPort: number;
  httpPort: number;
  /** Of the service's own HTTP server, where it has one. */
  appPort: number | undefined;
}

/** Every process beside PostgreSQL, by its service. */
export type Instances = Readonly<Record<ServiceName, readonly Instance[]>>;

/** Where the ports of what people reach come from; the rest takes any free ones. */
interface PortSource {
  take: () => number;
  gatewayPort: number;
  backofficePort: number;
  /** Ports that are given for the first instance of a service, where others call it. */
  listen: Readonly<Record<string, number>>;
}

/** The name of a service's instance; the first has the service's own, so that one of each looks as it always did. */
function instanceName(service: ServiceName, number: number): string {
  return number === 1 ? service : `${service}-${number}`;
}

/** The first of a service's instances, of which there is always one. */
export function firstOf(instances: readonly Instance[]): Instance {
  const [first] = instances;
  if (!first) throw new Error('there is one of each at least');
  return first;
}

/** The service that an instance of this name is one of. */
export function serviceOf(name: string): string {
  return name.replace(/-\d+$/, '');
}

/** The port of one of several: the given one and those after it, or any free one. */
const oneOf = (first: number, number: number, take: () => number): number =>
  first === 0 ? take() : first + number - 1;

/** Gives out ports to `count` instances of each service; the vendor's simulator is one, as a real vendor would be. */
export function planInstances(
  count: number,
  { take, gatewayPort, backofficePort, listen }: PortSource,
): Instances {
  const given = (service: ServiceName, number: number): number =>
    (number === 1 ? listen[service] : undefined) ?? take();
  const appPort = (service: ServiceName, number: number): number | undefined => {
    if (service === 'gateway') return oneOf(gatewayPort, number, take);
    if (service === 'backoffice') return oneOf(backofficePort, number, take);
    return service === 'vendor-simulator' ? given(service, number) : undefined;
  };
  const plan = (service: ServiceName, number: number): Instance => ({
    name: instanceName(service, number),
    service,
    number,
    grpcPort: service === 'vendor-simulator' ? take() : given(service, number),
    httpPort: take(),
    appPort: appPort(service, number),
  });
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const entries = serviceNames.map((service) => [
    service,
    (service === 'vendor-simulator' ? [1] : numbers).map((number) => plan(service, number)),
  ]);
  return Object.fromEntries(entries) as Instances;
}

/** How many free ports such a plan takes at most. */
export const portsNeeded = (count: number): number => 3 * serviceNames.length * count;
