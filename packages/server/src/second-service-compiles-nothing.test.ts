import { startService } from '@svc/testkit/service/service.ts';
import { expect, test } from 'vitest';
import { compiledSchemaCount } from './platform/http/input/validation.ts';

test('a second service in one process does not compile schemas again that the first one used', async () => {
  const first = await startService();
  const ask = async ({ origin }: { readonly origin: string }) =>
    expect((await fetch(`${origin}/svc/api/setup/status`)).status).toBe(200);
  await ask(first);
  const used = compiledSchemaCount();
  expect(used).toBeGreaterThan(0);
  const second = await startService({ on: first });
  try {
    await ask(second);
    expect(compiledSchemaCount()).toBe(used);
  } finally {
    await second.close();
    await first.close();
  }
});
