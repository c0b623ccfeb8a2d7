import type { HttpClient } from '../client/http-client.ts';

/** Creates an open project through the route, as the client's user. */
export async function addProject(client: HttpClient, name: string): Promise<number> {
  const answer = await client.post('/svc/api/projects', { name, description: 'For a scenario.' });
  if (answer.status !== 201) throw new Error(`The project was not made: ${answer.status} ${answer.text}`);
  return answer.read<{ projectId: number }>().projectId;
}

/** Restricts a project to its members. */
export async function restrict(client: HttpClient, projectId: number): Promise<void> {
  const answer = await client.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });
  if (answer.status >= 300)
    throw new Error(`The project was not restricted: ${answer.status} ${answer.text}`);
}
