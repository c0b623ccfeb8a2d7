import { deliveryRequirements } from './delivery/index.ts';
import { identityRequirements } from './identity/index.ts';
import { routesRequirements } from './routes/index.ts';

export type { DocumentPrefix, RequirementEntry, SourceDocument, SourceSection } from './entry.ts';
export { sources } from './sources.ts';

/** Everything that the source documents ask for, in their order. */
export const requirements = [
  ...identityRequirements,
  ...routesRequirements,
  ...deliveryRequirements,
] as const;

/** Id of a requirement that exists; a scenario that cites another one does not compile. */
export type RequirementId = (typeof requirements)[number]['id'];
