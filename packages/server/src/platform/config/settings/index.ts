import type { Setting } from '../setting.ts';
import { hostSettings } from './host.ts';
import { identitySettings } from './identity.ts';
import { llmSettings } from './llm.ts';
import { mcpSettings } from './mcp.ts';
import { signOnSettings } from './sign-on.ts';
import { workSettings } from './work.ts';

/** All settings. An unknown key prevents the start. */
export const settings = {
  ...hostSettings,
  ...identitySettings,
  ...signOnSettings,
  ...workSettings,
  ...mcpSettings,
  ...llmSettings,
};

export type SettingKey = keyof typeof settings;

export type Config = {
  readonly [K in SettingKey]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};
