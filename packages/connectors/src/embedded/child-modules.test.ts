import { modulesLoadedWith } from '@svc/testkit/service/loaded-modules.ts';
import { expect, it } from 'vitest';

it.each(['../duckdb/child/serve.ts', '../duckdb/child/serve-files.ts', '../sqlite/child.ts'])(
  'the process of %s loads no library that only its parent needs',
  (program) => {
    const loaded = modulesLoadedWith(new URL(program, import.meta.url).href);
    const libraries = loaded.flatMap(
      (address) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(address)?.[1] ?? [],
    );
    const expected = program.includes('duckdb')
      ? ['@duckdb/node-api', '@duckdb/node-bindings', 'detect-libc']
      : [];
    expect([...new Set(libraries)].sort()).toEqual(expected);
  },
);
