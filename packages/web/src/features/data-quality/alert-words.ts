import type { AlertMode } from '@svc/contract';

/** When a scheduled evaluation tells the recipients of its contract, in words. */
export const alertModeWords: Readonly<{ [mode in AlertMode]: string }> = {
  EveryFailure: 'After every scheduled evaluation that fails',
  OnChange: 'When it starts to fail, and when it recovers',
};
