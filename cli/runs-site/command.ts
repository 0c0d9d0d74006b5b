/** `touchstone site`: static pages from many run bundles. */
import { Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { collectWhole } from '../values.ts'
import type { SiteOptions } from './site.ts'

const help = `
Each run bundle in the folder is verified first. One that is not verified is listed with the reason, and counts for
nothing. Without --key, signatures are not checked, and the pages say so.

Exit codes:
  0  the site is written, whatever it shows
  2  wrong usage, or a folder that cannot be read or written
  3  the site is written, and no run counts
  70 error of Touchstone

Examples:
  touchstone site runs --out public --key release.pub.pem
  touchstone site runs --out public --key ci.pub.pem --key release.pub.pem --url https://results.example/`

export function siteCommand({ io, end }: CommandContext): Command {
  return new Command('site')
    .description('write static pages from many run bundles: versions, clauses over time, waivers, cost')
    .argument('[folder]', 'folder of run bundles, searched at any depth', 'runs')
    .option('--out <folder>', 'write to this folder', 'touchstone-site')
    .option('--key <file>', 'count only runs signed with this public key (PEM, repeatable)', collectWhole)
    .option('--log <path>', 'also show how often each version was run, by this log or folder of logs')
    .option('--rejudge', 'also judge every journal again and compare every verdict')
    .option('--url <address>', 'where the site will be published, for the links of its feeds', address)
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (folder: string, options: SiteOptions) => {
      const { site } = await import('./site.ts')
      end(site(folder, options, io))
    })
}

/** Ends with a slash, so that names of files can be put behind it. */
function address(text: string): string {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`)
  if (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  )
    return url.href
  throw new InvalidArgumentError(
    'Give the http or https URL of a folder, without a user name, a query or a fragment.',
  )
}
