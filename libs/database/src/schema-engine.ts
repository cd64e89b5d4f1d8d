import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type * as SchemaEngineModule from '@prisma/schema-engine-wasm';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import { Pool } from 'pg';
import type { PoolConfig, QueryResult } from 'pg';

/** Node has it, but TypeScript's types of it come with the browser's only. */
declare const WebAssembly: {
  instantiate(
    binary: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

type EngineModule = typeof SchemaEngineModule & {
  __wbg_set_wasm(exports: object): void;
};

let loading: Promise<EngineModule> | undefined;

/**
 * The package's own entry imports its .wasm as an ES module, which neither a CommonJS bundle nor Jest can follow; so
 * the glue code is loaded by itself and the binary is handed to it.
 */
async function loadEngine(): Promise<EngineModule> {
  const glue = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as EngineModule;
  const folder = path.dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const binary = await readFile(path.join(folder, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(binary, {
    './schema_engine_bg.js': withoutLingeringTimers(glue),
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  return glue;
}

/** The engine never clears the ten-second timer of its lock, which would keep a finished process alive that long. */
function withoutLingeringTimers(glue: object): object {
  const setTimer = (callback: () => void, ms: number): NodeJS.Timeout => setTimeout(callback, ms).unref();
  return Object.fromEntries(
    Object.entries(glue).map(([name, value]) => [
      name,
      name.startsWith('__wbg_setTimeout_') ? setTimer : value,
    ]),
  );
}

/** The adapter splits a script at every semicolon, which tears function bodies apart: here it goes out whole. */
class WholeScriptPrismaPg extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    return sendWholeScripts(await super.connect());
  }

  override async connectToShadowDb(): ReturnType<PrismaPg['connectToShadowDb']> {
    return sendWholeScripts(await super.connectToShadowDb());
  }
}

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;

function sendWholeScripts(adapter: Adapter): Adapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    const rename = (type: number): number => (type === ColumnTypeEnum.Time ? ColumnTypeEnum.Character : type);
    return { ...result, columnTypes: result.columnTypes.map(rename) as typeof result.columnTypes };
  };
  adapter.executeScript = async (script) => {
    // The simple protocol runs all statements of one message in one transaction: a migration applies whole or not.
    await adapter.underlyingDriver().query(script);
  };
  return adapter;
}

const CHAR_OID = 18;
const TIME_OID = 1083;

/**
 * The adapter does not know the catalogue's own "char" type, without which the engine cannot describe a database. Such
 * columns pass through it as a type that the catalogue never has, and are named rightly on their way to the engine.
 */
function mapCharacters(pool: Pool): Pool {
  const send = pool.query.bind(pool) as (...args: unknown[]) => Promise<QueryResult>;
  const query = async (...args: unknown[]): Promise<QueryResult> => {
    const result = await send(...args);
    for (const field of result.fields ?? []) if (field.dataTypeID === CHAR_OID) field.dataTypeID = TIME_OID;
    return result;
  };
  return Object.assign(pool, { query });
}

/** Runs `work` with Prisma's schema engine on the database; its connection is closed afterwards. */
export async function withSchemaEngine<T>(
  config: PoolConfig,
  datamodels: [string, string][] | undefined,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  loading ??= loadEngine();
  const { SchemaEngine: Engine } = await loading.catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  // One connection: the engine's advisory lock and its statements belong to the same session.
  const pool = mapCharacters(new Pool({ ...config, max: 1 }));
  try {
    const factory = bindMigrationAwareSqlAdapterFactory(new WholeScriptPrismaPg(pool));
    const engine = await Engine.new({ datamodels }, () => undefined, factory);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    // The engine forgets its connection without closing it.
    await pool.end();
  }
}
