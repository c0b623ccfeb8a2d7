import { createLedger } from '../domains/deliveries/index.ts';
import { createSend, measuredAttempts, type Send } from '../doors/send/index.ts';
import type { Ground } from './ground.ts';
import type { RecipientsPart } from './recipients.ts';

/** Opens the send gateway: the only path to a destination. It reads the recipient again and writes the ledger. */
export const openSendDoor = (ground: Ground, { rules, reader }: RecipientsPart): Send =>
  createSend({
    settings: ground.settings.send,
    rules,
    keyRing: ground.keys,
    outbound: ground.outbound,
    email: ground.email,
    log: ground.log,
    measure: measuredAttempts(ground.telemetry),
    recipients: reader,
    ledger: createLedger(ground.database),
  });
