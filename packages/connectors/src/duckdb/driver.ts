import { createRequire } from 'node:module';

/** Keeps a byte order mark at the beginning of a text. */
class ExactTextDecoder extends TextDecoder {
  constructor(label?: string, options?: ConstructorParameters<typeof TextDecoder>[1]) {
    super(label, { ...options, ignoreBOM: true });
  }
}

/** Loads the driver, which makes its decoder of texts once and has no option for it. */
export function loadDuckdb(): void {
  const { TextDecoder: own } = globalThis;
  globalThis.TextDecoder = ExactTextDecoder;
  try {
    createRequire(import.meta.url)('@duckdb/node-api');
  } finally {
    globalThis.TextDecoder = own;
  }
}
