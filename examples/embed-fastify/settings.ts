import { loadConfig } from '@svc/server';

/**
 * Settings of the service: from `svc.config.json` and the environment, plus the settings for embedding.
 * `Svc__Database__ConnectionString` names your PostgreSQL; `Svc__EncryptionKey` comes from your secret store.
 */
export const { config } = loadConfig({
  env: process.env,
  values: {
    'Svc:UserManagement:Enabled': false,
    'Svc:Authentication:ExternalLogin:LoginUrl': '/login',
  },
});

const connectionString = config['Svc:Database:ConnectionString'];
if (connectionString === undefined) throw new Error('Set Svc__Database__ConnectionString to a PostgreSQL.');
export const database = { connectionString };
