import { createLedger } from '../../domains/deliveries/index.ts';
import { createSend, measuredAttempts, type Send } from '../../gateways/send/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { RecipientsModule } from './recipients.ts';

/** Opens the send gateway: the only path to a destination. It reads the recipient again and writes the ledger. */
export const openSendGateway = (infra: Infrastructure, { rules, reader }: RecipientsModule): Send =>
  createSend({
    settings: infra.settings.send,
    rules,
    keyRing: infra.keys,
    outbound: infra.outbound,
    email: infra.email,
    log: infra.log,
    measure: measuredAttempts(infra.telemetry),
    recipients: reader,
    ledger: createLedger(infra.database),
  });
