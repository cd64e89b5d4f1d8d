interface Text {
  text: string;
}

const write = (value: Text): Buffer => Buffer.from(value.text);
const read = (bytes: Buffer): Text => ({ text: bytes.toString() });

/** A service of one method, in the shape of generated code. */
export const EchoServiceService = {
  say: {
    path: '/reseller.test.v1.EchoService/Say' as const,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: write,
    requestDeserialize: read,
    responseSerialize: write,
    responseDeserialize: read,
  },
} as const;
