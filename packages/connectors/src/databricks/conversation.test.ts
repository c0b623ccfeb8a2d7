import { startDatabricks, type TestShop } from '@svc/testkit/database/databricks.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { describeConversation } from '../testing/conversation.ts';
import { databricksWrites } from '../testing/statements/databricks/refused.ts';
import { createDatabricksConnector } from './index.ts';

const connector = createDatabricksConnector();
let server: TestShop;

beforeAll(async () => {
  server = await startDatabricks(await createTestAuthority());
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.stop();
});

describeConversation('what stands in for Databricks', {
  connector,
  connection: () => connector.settings.parse(server.connection),
  dial: (target, options) => server.dial(target, options),
  endless: 'select endless from t',
  writes: databricksWrites,
});
