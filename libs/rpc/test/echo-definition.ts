export interface SayRequest {
  text: string;
}
export interface SayResponse {
  text: string;
}

const toBytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** A service of one method, in the shape of generated code. */
export const EchoServiceService = {
  say: {
    path: '/reseller.test.v1.EchoService/Say' as const,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: (value: SayRequest): Buffer => toBytes(value),
    requestDeserialize: (bytes: Buffer): SayRequest => JSON.parse(bytes.toString()) as SayRequest,
    responseSerialize: (value: SayResponse): Buffer => toBytes(value),
    responseDeserialize: (bytes: Buffer): SayResponse => JSON.parse(bytes.toString()) as SayResponse,
    policy: {
      idempotency: 'IDEMPOTENCY_UNKNOWN' as const,
      callers: ['gateway', 'backoffice', 'orders-saga'],
    },
  },
} as const;
