import { createRequire } from 'node:module';

/** Decodes a text without removing a byte order mark at its beginning. */
class ExactTextDecoder extends TextDecoder {
  constructor(label?: string, options?: ConstructorParameters<typeof TextDecoder>[1]) {
    super(label, { ...options, ignoreBOM: true });
  }
}

/** Loads the driver with `ExactTextDecoder`. The driver creates its decoder once, on load, and has no option for it. */
export function loadDuckdb(): void {
  const { TextDecoder: original } = globalThis;
  globalThis.TextDecoder = ExactTextDecoder;
  try {
    createRequire(import.meta.url)('@duckdb/node-api');
  } finally {
    globalThis.TextDecoder = original;
  }
}
