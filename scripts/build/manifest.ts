/** The package.json that is packed: what a publisher sets is in it, and what only the sources need is not. */

type Manifest = Readonly<Record<string, unknown>>

export interface Publisher {
  /** The address of the public repository, such as https://github.com/OWNER/NAME; null until somebody publishes. */
  readonly repository: string | null
}

const onlyInSources = ['private', 'scripts', 'devDependencies', 'overrides', 'allowScripts', 'scarfSettings']

/** Throws if the repository is not an https address. */
export function packedManifest(manifest: Manifest, publisher: Publisher): Manifest {
  const kept = Object.entries(manifest).filter(([name]) => !onlyInSources.includes(name))
  const publishConfig = { access: 'public', provenance: true }
  return { ...Object.fromEntries(kept), ...addresses(publisher), publishConfig }
}

function addresses({ repository }: Publisher): Manifest {
  if (repository === null) return {}
  if (!/^https:\/\/[^/]+\/.*[^/]$/.test(repository))
    throw new Error(
      `scripts/build/publisher.json: repository is ${repository}: give an address such as https://github.com/OWNER/NAME`,
    )
  return {
    repository: { type: 'git', url: `git+${repository.replace(/\.git$/, '')}.git` },
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
  }
}
