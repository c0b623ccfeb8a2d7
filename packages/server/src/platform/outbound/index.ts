/**
 * The one outbound door: the only module that opens a connection that somebody else can steer (SECURITY R2). A
 * policy per purpose says what is reachable; addresses are checked when a connection is made, and only checked ones
 * are dialled.
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
