import {
  type Authority,
  startDatabricksServer,
  type TestDatabricks,
  warehouseId,
} from './databricks/server.ts';
import { shopAnswer, shopUsers } from './databricks/shop.ts';

/** Workspace with a small shop (`databricks/shop.ts`) and a read-only service principal. */
export type TestShop = TestDatabricks & {
  readonly connection: Readonly<Record<string, unknown>>;
  /** Returns the credentials of another service principal of the shop. */
  readonly as: (user: string) => Readonly<Record<'clientId' | 'clientSecret', string>>;
};

const secretOf = (user: string): string => `s3cret of:${user}`.replaceAll(' ', '-');

export async function startDatabricks(authority: Authority): Promise<TestShop> {
  const as = (clientId: string) => ({ clientId, clientSecret: secretOf(clientId) });
  const server = await startDatabricksServer({
    authority,
    answer: shopAnswer,
    clients: Object.fromEntries(shopUsers.map((user) => [user, secretOf(user)])),
  });
  return {
    ...server,
    as,
    connection: {
      host: server.host,
      caCertificate: server.caCertificate,
      warehouseId,
      catalog: 'shop',
      schema: 'sales',
      ...as('reader'),
    },
  };
}
