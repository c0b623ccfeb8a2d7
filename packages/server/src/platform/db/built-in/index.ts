export { openAdminClient } from './admin-client.ts';
export { type BuiltInCluster, type BuiltInConnection, startBuiltInCluster } from './cluster.ts';
export {
  forgetPreviousSecret,
  type KeptSecret,
  keptSecret,
  keptSecretFile,
  previousSecret,
  replaceSecret,
} from './secrets.ts';
