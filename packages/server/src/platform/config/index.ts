export { describeSettings, isSecretSetting, type ShownSetting } from './describe.ts';
export {
  type ConfigSources,
  inspectConfig,
  type LoadedConfig,
  loadConfig,
} from './load.ts';
export { type Config, type SettingKey, settings } from './settings/index.ts';
export type { McpCallers } from './settings/mcp-callers.ts';
export { readSystemProxy, type SystemProxySettings } from './system-proxy.ts';
