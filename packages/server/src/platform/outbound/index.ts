/**
 * The outbound gateway: the only module that opens connections to user-controlled destinations (SECURITY R2). A
 * policy per purpose defines the reachable destinations. Addresses are checked at connection time, and only checked
 * addresses are dialled.
 */
export {
  type AddressClass,
  type ClassifiedAddress,
  classifyAddress,
  type Network,
  parseNetwork,
} from './address.ts';
export { readConnectionCertificates, readTrustedCertificates } from './certificates.ts';
export type { ConnectDeadlines } from './connector.ts';
export { type DestinationRefusal, refusalTexts } from './destination.ts';
export { type DialedTarget, DialRefusedError, type DialTarget } from './dial.ts';
export { OutboundError, type OutboundFailure, type OutboundStage, outboundFailureTexts } from './failure.ts';
export { createOutbound } from './outbound.ts';
export {
  type DestinationSettings,
  dataSourcePolicy,
  deliveryPolicy,
  heartbeatPolicy,
  identityProviderPolicy,
  llmPolicy,
  mailServerPolicy,
  type OutboundPolicy,
  parseHostPattern,
  repositoryPolicy,
} from './policy.ts';
export type {
  DestinationCheck,
  Outbound,
  OutboundDetail,
  OutboundFetch,
  OutboundOptions,
  OutboundRequest,
  OutboundResult,
  SystemProxy,
} from './port.ts';
export type { Resolve } from './resolver.ts';
