export { type BuiltInCluster, type BuiltInConnection, startBuiltInCluster } from './cluster.ts';
export { type KeptSecret, keptSecret, keptSecretFile } from './secrets.ts';
