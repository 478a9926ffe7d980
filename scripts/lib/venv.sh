# Sourced by the other scripts: makes .venv in the checkout with minisearch and what it needs, once.
# Usage: use_venv [EXTRA [OPTION OF PIP ...]]     e.g. use_venv test --no-compile

use_venv() {
    local root extra venv python wanted stamp log
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    extra=${1:+[$1]}
    venv=$root/.venv
    stamp=$venv/.installed-$(printf '%s' "minisearch$extra" | tr -c 'a-z\n' '-')
    wanted=$(cksum <"$root/pyproject.toml")
    if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
        python=$(find_python) || return 1
        log=$(mktemp)
        echo "installing minisearch$extra into .venv ($("$python" --version)) ..." >&2
        [ -x "$venv/bin/python" ] || "$python" -m venv "$venv" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
        "$venv/bin/python" -m pip install --disable-pip-version-check --quiet "${@:2}" \
            --editable "$root$extra" >"$log" 2>&1 ||
            { cat "$log" >&2; echo "installing failed: see above" >&2; return 1; }
        printf '%s' "$wanted" >"$stamp"
        rm -f "$log"
    fi
    PATH=$venv/bin:$PATH
    export PATH
}

find_python() {
    local candidate
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    echo "minisearch needs Python 3.11 or newer, and none was found" >&2
    return 1
}
