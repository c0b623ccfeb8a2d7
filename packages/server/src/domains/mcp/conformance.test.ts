import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setUp } from '@svc/testkit/people/people.ts';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conformanceServer } from '../../../../../tools/test/mcp/fixtures.ts';
import { runSuite } from '../../../../../tools/test/mcp/run-suite.ts';
import { sessionServing } from '../../../../../tools/test/mcp/sessions.ts';

const suiteMaxMs = 300_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-mcp-suite-'));
let fixtures: RunningService;
let product: RunningService;

beforeAll(async () => {
  fixtures = await startService({
    svc: { mcpServing: { factory: conformanceServer, legacy: sessionServing(conformanceServer) } },
  });
  product = await startService();
});
afterAll(async () => {
  await fixtures.close();
  await product.close();
  rmSync(folder, { recursive: true, force: true });
});

const suite = async (svc: RunningService, options: readonly string[]) => {
  const keyed = await keyOf(svc);
  const { code, output } = await runSuite(svc.svc, keyed, options, folder);
  // A failure shows the output of the conformance suite.
  expect(code, output).toBe(0);
};
const keys = new Map<RunningService, string>();
async function keyOf(svc: RunningService): Promise<string> {
  const cachedKey = keys.get(svc);
  if (cachedKey !== undefined) return cachedKey;
  await setUp(svc);
  const owner = await createUser(svc.database, 'owner', 'Editor');
  const { authorization } = await createKey(svc.database, owner, { scopes: ['Execute'], projectIds: null });
  keys.set(svc, authorization);
  return authorization;
}

test.each(['2025-11-25', '2026-07-28'])(
  'our MCP transport passes every scored scenario of %s with the fixtures of the conformance suite',
  (revision) => suite(fixtures, ['--requirements', revision]),
  suiteMaxMs,
);

test.each(['2025-11-25', '2026-07-28'])(
  'tool schemas are listed with all their keywords (%s)',
  (revision) => suite(fixtures, ['--scenario', 'json-schema-2020-12', '--spec-version', revision]),
  suiteMaxMs,
);

test.each([
  ['server-initialize', '2025-11-25'],
  ['ping', '2025-11-25'],
  ['tools-list', '2025-11-25'],
  ['dns-rebinding-protection', '2025-11-25'],
  ['tools-list', '2026-07-28'],
  ['sep-2164-resource-not-found', '2026-07-28'],
])(
  'the product itself passes the scenario %s of %s',
  (scenario, revision) => suite(product, ['--scenario', scenario, '--spec-version', revision]),
  suiteMaxMs,
);
