export {
  createSecrets,
  type KeyDependency,
  type KeyDependents,
  type RotationProgress,
  type RotationReport,
  refuseLostKey,
  type SecretsService,
} from './service.ts';
