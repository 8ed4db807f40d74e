import { parse, parseAllDocuments } from "yaml";

interface Package {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}
interface Compose {
  readonly services: Readonly<Record<string, { readonly image?: string; readonly command?: readonly string[] }>>;
}
interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly image: string; readonly args: readonly string[] }[] };
    };
  };
}

interface ScaledObject {
  readonly spec: { readonly triggers: readonly { readonly metadata: { readonly listName: string } }[] };
}

/**
 * What no linter knows of the files of `deploy`: versions that differ from those of the package, images without a
 * version, an image that runs as root, a Redis that may lose or evict jobs, and a scaler that does not see all jobs.
 * A sentence for each.
 *
 * @param read a file of the repository, by its path
 */
export function listDeployFaults(read: (path: string) => string): string[] {
  const pack = JSON.parse(read("package.json")) as Package;
  const docker = read("deploy/Dockerfile");
  const compose = parse(read("deploy/compose.yaml")) as Compose;
  const worker = parse(read("deploy/kubernetes/worker.yaml")) as Deployment;
  const [container] = worker.spec.template.spec.containers;
  const faults: string[] = [];
  const hold = (is: boolean, fault: string) => void (is || faults.push(fault));

  for (const [name, argument] of [
    ["bullmq", "BULLMQ_VERSION"],
    ["ioredis", "IOREDIS_VERSION"],
    ["bullmq-otel", "BULLMQ_OTEL_VERSION"],
  ] as const) {
    const own = pack.devDependencies[name];
    hold(
      docker.includes(`ARG ${argument}=${own}\n`),
      `deploy/Dockerfile: ${argument} is not ${own}, as in package.json`,
    );
    hold(docker.includes(`"${name}@\${${argument}}"`), `deploy/Dockerfile: the image does not install ${name}`);
  }
  for (const [, image] of docker.matchAll(/^FROM (\S+)/gm)) {
    const isOwn = docker.includes(` AS ${image}\n`);
    hold(isOwn || /:\d+\.\d+\.\d+-/.test(image!), `deploy/Dockerfile: ${image} has no full version`);
  }
  const lastStage = /^FROM .* AS (\S+)$/m.exec(docker.slice(docker.lastIndexOf("\nFROM ") + 1))?.[1];
  hold(
    lastStage === "package",
    "deploy/Dockerfile: the last stage is not `package`, which a build without a target makes",
  );
  const lastUser = [...docker.matchAll(/^USER (\S+)/gm)].at(-1)?.[1];
  hold(lastUser !== undefined && lastUser !== "root" && lastUser !== "0", "deploy/Dockerfile: the image runs as root");
  for (const [name, { image }] of Object.entries(compose.services)) {
    hold(image === undefined || /:\d+\.\d+\.\d+/.test(image), `deploy/compose.yaml: ${name} has no full version`);
  }
  const redis = compose.services["redis"]?.command?.join(" ") ?? "";
  for (const option of ["--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction", "--requirepass"]) {
    hold(redis.includes(option), `deploy/compose.yaml: redis runs without ${option}`);
  }
  const [scaled] = parseAllDocuments(read("deploy/kubernetes/autoscaling.yaml"));
  const { triggers } = (scaled!.toJS() as ScaledObject).spec;
  const lists = new Set(triggers.map(({ metadata }) => metadata.listName));
  const queues = new Set([...lists].map((name) => name.replace(/:\w+$/, "")));
  hold(queues.size === 2, "deploy/kubernetes/autoscaling.yaml: a version has two queues");
  for (const name of [...queues].flatMap((queue) => [`${queue}:wait`, `${queue}:active`])) {
    hold(lists.has(name), `deploy/kubernetes/autoscaling.yaml: the jobs of ${name} do not count`);
  }
  hold(
    container?.image === `perplab:${pack.version}`,
    `deploy/kubernetes/worker.yaml: the image is not perplab:${pack.version}, the version of package.json`,
  );
  return faults;
}
