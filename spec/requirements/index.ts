import { deliveryRequirements } from './delivery/index.ts';
import { identityRequirements } from './identity/index.ts';
import { routesRequirements } from './routes/index.ts';

export type { DocumentPrefix, RequirementEntry, SourceDocument, SourceSection } from './entry.ts';
export { sources } from './sources.ts';

/** All requirements of the source documents, in their order. */
export const requirements = [
  ...identityRequirements,
  ...routesRequirements,
  ...deliveryRequirements,
] as const;

/** Id of an existing requirement. A scenario that cites another id does not compile. */
export type RequirementId = (typeof requirements)[number]['id'];
