export {
  createProvisioning,
  type DefinitionsOfUser,
  type Provisioning,
  type ProvisioningOrder,
  type ProvisioningReport,
} from './service.ts';
