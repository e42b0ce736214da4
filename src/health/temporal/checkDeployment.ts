import {
  broken,
  fine,
  firstLine,
  type HealthFinding,
  skipped,
  type TemporalToCheck,
} from '../finding';

/** Checks that new orders go to a build of this deployment that has workers. */
export async function checkDeployment(
  { client, config }: TemporalToCheck,
  deployment: { name: string; builds: readonly string[] },
): Promise<HealthFinding> {
  const { namespace } = config;
  const { name: deploymentName, builds } = deployment;
  const name = `Deployment ${deploymentName}`;
  const command = (build: string): string =>
    `temporal worker deployment set-current-version -n ${namespace} ` +
    `--deployment-name ${deploymentName} --build-id ${build}`;
  try {
    const described = await client.workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    });
    const routing = described.workerDeploymentInfo?.routingConfig;
    const current = routing?.currentDeploymentVersion?.buildId;
    if (!current) {
      return broken(
        name,
        `has no current build, so that new orders wait; its workers are ${builds.join(', ')}`,
        `Say which one takes new orders: ${command(builds.at(-1) ?? '<build id>')}`,
      );
    }
    if (builds.includes(current)) return fine(name, `new orders go to build ${current}`);
    return broken(
      name,
      `new orders go to build ${current}, but the workers are ${builds.join(', ')}`,
      `Start a worker of build ${current}, or: ${command(builds.at(-1) ?? '<build id>')}`,
    );
  } catch (error) {
    const reason = firstLine(error);
    if (!/not found/i.test(reason)) return skipped(name, `not checked: ${reason}`);
    return broken(
      name,
      'Temporal has not heard of it: no worker of it was ever there',
      'Start one with "steadfast worker", with the same STEADFAST_DEPLOYMENT.',
    );
  }
}
