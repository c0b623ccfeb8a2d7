import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** Members of the package's Emscripten module that are used. */
type WasmModule = {
  readonly HEAPU8: Uint8Array;
  readonly getValue: (pointer: number, type: 'i32') => number;
  readonly UTF8ToString: (pointer: number) => string;
  readonly stringToUTF8: (text: string, pointer: number, bytes: number) => void;
  readonly lengthBytesUTF8: (text: string) => number;
  readonly _malloc: (bytes: number) => number;
  readonly _free: (pointer: number) => void;
  readonly _wasm_parse_query_raw: (textPointer: number) => number;
  readonly _wasm_free_parse_result: (resultPointer: number) => void;
};

/** Tree as JSON, or the parser's error. `character` counts code points from 1; 0 means no position. */
export type RawParse =
  | { readonly json: string }
  | { readonly message: string; readonly character: number }
  /** The parser ran out of stack or memory. */
  | { readonly isExhausted: true };

/**
 * Limit for reusing an instance. It starts with 128 MiB of address space and never returns memory, so a grown
 * instance is replaced.
 */
const heapBytesMax = 128 * 1024 * 1024;

let instance: Promise<WasmModule> | undefined;

async function load(): Promise<WasmModule> {
  // Loads a CommonJS file of the package: its index offers neither a second instance nor the size of the memory.
  const load: unknown = createRequire(import.meta.url)('libpg-query/wasm/libpg-query.js');
  // The optimising compiler needs 200 MB for the grammar's one large function and saves little time. The flags apply
  // to all WebAssembly in the process, which otherwise contains only the parsers of HTTP clients.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  return (load as () => Promise<WasmModule>)();
}

/** Parses a text with PostgreSQL's own parser. The first call loads it. */
export async function parseRaw(sql: string): Promise<RawParse> {
  instance ??= load();
  const used = instance;
  const wasm = await used;
  let isFit = false;
  try {
    const result = parseWith(wasm, sql);
    isFit = wasm.HEAPU8.length <= heapBytesMax && !isOutOfMemory(result);
    return isOutOfMemory(result) ? { isExhausted: true } : result;
  } catch (error) {
    if (isTrap(error)) return { isExhausted: true };
    throw error;
  } finally {
    // After an overflow, the instance's stack pointer and memory contexts are undefined.
    if (!isFit && instance === used) instance = undefined;
  }
}

/** Detects an overflow of the stack, or a trap of WebAssembly. */
const isTrap = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError');

const isOutOfMemory = (result: RawParse): boolean =>
  'message' in result &&
  /^(?:memory exhausted|out of memory|stack depth limit exceeded)/.test(result.message);

/** Offsets of the members of the C structures `PgQueryParseResult` and `PgQueryError`. */
const treeAt = 0;
const errorAt = 8;
const messageAt = 0;
const cursorAt = 16;

function parseWith(wasm: WasmModule, sql: string): RawParse {
  const bytes = wasm.lengthBytesUTF8(sql) + 1;
  const text = wasm._malloc(bytes);
  wasm.stringToUTF8(sql, text, bytes);
  const result = wasm._wasm_parse_query_raw(text);
  if (result === 0) return { isExhausted: true };
  const error = wasm.getValue(result + errorAt, 'i32');
  const parsed: RawParse =
    error === 0
      ? { json: wasm.UTF8ToString(wasm.getValue(result + treeAt, 'i32')) }
      : {
          message: wasm.UTF8ToString(wasm.getValue(error + messageAt, 'i32')),
          character: wasm.getValue(error + cursorAt, 'i32'),
        };
  // Not in a `finally`: after a trap, the instance is dropped with all its memory.
  wasm._wasm_free_parse_result(result);
  wasm._free(text);
  return parsed;
}
