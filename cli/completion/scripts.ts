/** What each shell runs to complete a word: it asks the program, and completes file names if there is no candidate. */

const bash = `_touchstone() {
  local line="\${COMP_LINE:0:COMP_POINT}" prefix='' word rest
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  # Bash replaces only what follows the last =.
  word="\${words[\${#words[@]}-1]}"
  [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && prefix="\${word%=*}="
  COMPREPLY=()
  while IFS=$'\\t' read -r word rest; do
    COMPREPLY+=("\${word#"$prefix"}")
  done < <("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _touchstone touchstone
`

const zsh = `#compdef touchstone
_touchstone() {
  local line
  local -a found
  for line in "\${(@f)$("\${words[1]}" __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe touchstone found; else _files; fi
}
if [[ \${funcstack[1]} == _touchstone ]]; then _touchstone "$@"; else compdef _touchstone touchstone; fi
`

const fish = `function __touchstone_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c touchstone -f -a '(__touchstone_complete)'
`

const powershell = `Register-ArgumentCompleter -Native -CommandName touchstone -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | ForEach-Object { "$_" })
  $before = @($words | Select-Object -Skip 1)
  if ($word -ne '') { $before = @($before | Select-Object -SkipLast 1) }
  # Older versions do not pass an empty argument.
  $legacy = $PSVersionTable.PSVersion -lt [version]'7.3' -or $PSNativeCommandArgumentPassing -eq 'Legacy'
  $current = if ($word -eq '' -and $legacy) { '""' } else { $word }
  & $words[0] __complete @before $current 2>$null | ForEach-Object {
    $name, $text = $_ -split "\`t", 2
    if (-not $text) { $text = $name }
    [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $text)
  }
}
`

export const completionScripts = { bash, zsh, fish, powershell }
export type ShellName = keyof typeof completionScripts
