import type { Fixture } from './fixture.ts';
import { fresh, made } from './fresh.ts';

/** Records that no other cell of the matrix uses. */

export const source = ({ connection }: Fixture) => ({
  name: fresh('Source'),
  engine: 'PostgreSQL',
  connection,
});
export const freshSource = (fixture: Fixture) => made(fixture.root, '/svc/api/data-sources', source(fixture));
export const step = ({ dataSource }: Fixture) => ({ dataSourceId: dataSource, sql: 'select 1 as one' });
export const definition = (fixture: Fixture) => ({ name: fresh('Query'), steps: [step(fixture)] });
export const freshQuery = (fixture: Fixture) =>
  made(fixture.root, '/svc/api/queries', { projectId: fixture.project, ...definition(fixture) });
export const recipient = () => ({
  notificationType: 'Webhook',
  name: fresh('Recipient'),
  destination: 'https://hooks.example.com/in',
});
export const freshRecipient = (fixture: Fixture) => made(fixture.root, '/svc/api/recipients', recipient());
export const subscription = async (fixture: Fixture) => ({
  queryId: fixture.query,
  cronExpression: '0 0 1 1 *',
  recipientIds: [await freshRecipient(fixture)],
});
export const freshSubscription = async (fixture: Fixture) =>
  made(fixture.root, '/svc/api/subscriptions', await subscription(fixture));
