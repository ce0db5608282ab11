import type { RouteTable } from './route.ts'

/** Routes of LangSmith Deployment that the contract has under another path, or not at all. */
export const LANGSMITH: RouteTable = {
  'GET /v1/integrations/github/install': { states: 'Lists the installed GitHub integrations', success: 200 },
  'GET /v1/integrations/github/{integration_id}/repos': {
    states: 'Lists the repositories of an integration, as an array',
    success: 200,
  },
  'GET /v2/deployments/free-count': 'Counts the free deployments',
  'DELETE /v2/deployments': {
    states: 'Deletes several deployments; 207 if only some of them',
    query: { deployment_ids: { kind: 'text', required: true } },
  },
  'PATCH /v2/deployments/{deployment_id}/deployment-tier':
    'Sets the size, `deployment_tier`, from SERVERLESS_S to DEDICATED_L, and creates a revision; a deployment without a size may answer 500',
  'POST /v2/deployments/{deployment_id}/push-token': 'Gives a token for pushes of images, for internal_docker only',
  'POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt':
    'Interrupts a revision; the effect on the deployment is not defined',
  'GET /v2/listeners/{listener_id}': { states: 'Reads a listener', success: 200 },
  'POST /v1/projects/{project_id}/revisions/{revision_id}/build_logs': 'Reads the build log of a revision',
  'POST /v1/projects/{project_id}/revisions/{revision_id}/deploy_logs': 'Reads the deploy log of a revision',
  'POST /v1/projects/{project_id}/deploy_logs': 'Reads the deploy log of a deployment',
}
