import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import type { MethodDefinition } from '@grpc/grpc-js';

/** Which service is meant; `''` is the server as a whole. */
export interface HealthRequest {
  service: string;
}

const STATUSES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const;

/** Whether a service serves; a status that a later version of the protocol adds is UNKNOWN. */
export interface HealthResponse {
  status: (typeof STATUSES)[number];
}

/** The health of each service, by its name. */
export interface HealthListResponse {
  statuses: Record<string, HealthResponse>;
}

/**
 * The gRPC health protocol (grpc.health.v1), written out: to read it from its .proto file takes a seventh of a service's start.
 * A test holds it to grpc-health-check, which does.
 */
export const healthDefinition = {
  check: method('Check', false, requestCodec(), responseCodec()),
  watch: method('Watch', true, requestCodec(), responseCodec()),
  list: method('List', false, emptyCodec(), listCodec()),
};

interface Codec<T> {
  encode: (value: T) => Buffer;
  decode: (bytes: Buffer) => T;
}

function method<Request, Response>(
  name: string,
  responseStream: boolean,
  request: Codec<Request>,
  response: Codec<Response>,
): MethodDefinition<Request, Response> {
  return {
    path: `/grpc.health.v1.Health/${name}`,
    requestStream: false,
    responseStream,
    requestSerialize: request.encode,
    requestDeserialize: request.decode,
    responseSerialize: response.encode,
    responseDeserialize: response.decode,
  };
}

/** Calls `read` at each field with its number; it says whether it has read it. */
function readFields(bytes: Buffer, read: (field: number, reader: BinaryReader) => boolean): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (!read(field, reader)) reader.skip(type, field);
  }
}

function requestCodec(): Codec<HealthRequest> {
  return {
    encode: ({ service }) => {
      const writer = new BinaryWriter();
      if (service !== '') writer.uint32(0x0a).string(service);
      return Buffer.from(writer.finish());
    },
    decode: (bytes) => {
      const request = { service: '' };
      readFields(bytes, (field, reader) => {
        if (field === 1) request.service = reader.string();
        return field === 1;
      });
      return request;
    },
  };
}

function encodeResponse({ status }: HealthResponse): Uint8Array {
  return new BinaryWriter().uint32(0x08).int32(STATUSES.indexOf(status)).finish();
}

function decodeResponse(bytes: Buffer): HealthResponse {
  const response: HealthResponse = { status: 'UNKNOWN' };
  readFields(bytes, (field, reader) => {
    if (field === 1) response.status = STATUSES[reader.int32()] ?? 'UNKNOWN';
    return field === 1;
  });
  return response;
}

function responseCodec(): Codec<HealthResponse> {
  return { encode: (response) => Buffer.from(encodeResponse(response)), decode: decodeResponse };
}

function emptyCodec(): Codec<object> {
  return { encode: () => Buffer.alloc(0), decode: () => ({}) };
}

/** Of a list only servers speak. */
function listCodec(): Codec<HealthListResponse> {
  return {
    encode: ({ statuses }) => {
      const writer = new BinaryWriter();
      for (const [name, response] of Object.entries(statuses))
        writer
          .uint32(0x0a)
          .fork()
          .uint32(0x0a)
          .string(name)
          .uint32(0x12)
          .bytes(encodeResponse(response))
          .join();
      return Buffer.from(writer.finish());
    },
    decode: () => {
      throw new Error('a list of health is written here, and read by whoever asks for it');
    },
  };
}
