import {
  getMcpProjectSettings,
  getMcpSettings,
  listMcpProjects,
  listMcpSettingsChanges,
  updateMcpProjectSettings,
  updateMcpSettings,
} from '@svc/contract';
import { expectedVersion, type Route, route, setVersionTag } from '../../../platform/http/index.ts';
import type { McpSettingsService } from './service.ts';

export const mcpSettingsRoutes = (settings: McpSettingsService): Route[] => [
  route(getMcpSettings, async ({ reply }) => {
    const stored = await settings.get();
    setVersionTag(reply, stored.version);
    return stored;
  }),
  route(updateMcpSettings, async (context) => {
    const saved = await settings.update(context, context.body, {
      expectedVersion: expectedVersion(context.request),
    });
    setVersionTag(context.reply, saved.version);
    return saved;
  }),
  route(listMcpProjects, ({ query }) => settings.listProjects(query)),
  route(getMcpProjectSettings, async ({ params, reply }) => {
    const stored = await settings.getProject(params.projectId);
    setVersionTag(reply, stored.version);
    return stored;
  }),
  route(updateMcpProjectSettings, async (context) => {
    const options = { expectedVersion: expectedVersion(context.request) };
    const saved = await settings.updateProject(context, context.params.projectId, context.body, options);
    setVersionTag(context.reply, saved.version);
    return saved;
  }),
  route(listMcpSettingsChanges, ({ query }) => settings.listChanges(query)),
];
