import { startService } from '@svc/testkit/service/service.ts';
import { expect, test } from 'vitest';
import { compiledSchemaCount } from './platform/http/input/validation.ts';

test('a second service in one process compiles no schema', async () => {
  const first = await startService();
  const compiled = compiledSchemaCount();
  expect(compiled).toBeGreaterThan(100);
  const second = await startService({ on: first });
  try {
    expect(compiledSchemaCount()).toBe(compiled);
    expect((await fetch(`${second.origin}/svc/api/setup/status`)).status).toBe(200);
  } finally {
    await second.close();
    await first.close();
  }
});
