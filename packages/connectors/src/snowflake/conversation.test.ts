import { startSnowflake, type TestShop } from '@svc/testkit/database/snowflake.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { describeConversation } from '../testing/conversation.ts';
import { snowflakeWrites } from '../testing/statements/snowflake.ts';
import { createSnowflakeConnector } from './index.ts';

const connector = createSnowflakeConnector();
let server: TestShop;

beforeAll(async () => {
  server = await startSnowflake(await createTestAuthority());
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.stop();
});

describeConversation('what stands in for Snowflake', {
  connector,
  connection: () => connector.settings.parse(server.connection),
  dial: (target, options) => server.dial(target, options),
  endless: 'select endless from t',
  writes: snowflakeWrites,
});
