# Sourced by the other scripts: installs packages into virtual environments in the checkout.

use_venv() { # [EXTRA [PIP_OPTION ...]]: install minisearch into .venv and put it first in PATH
    local root extra stamp
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    extra=${1:+[$1]}
    stamp=.installed-$(printf '%s' "minisearch$extra" | tr -c 'a-z\n' '-')
    install_once "$root/.venv" "$stamp" "$root/pyproject.toml" "minisearch$extra" \
        "${@:2}" --editable "$root$extra" || return 1
    PATH=$root/.venv/bin:$PATH
    export PATH
}

install_once() { # VENV STAMP REQUIREMENTS NAME PIP_ARGUMENT ...: install into VENV unless REQUIREMENTS are unchanged
    local venv=$1 stamp=$1/$2 name=$4 checksum python log
    checksum=$(cksum <"$3")
    [ "$(cat "$stamp" 2>/dev/null)" != "$checksum" ] || return 0
    python=$(find_python) || return 1
    log=$(mktemp)
    echo "installing $name into ${venv##*/} ($("$python" --version)) ..." >&2
    [ -x "$venv/bin/python" ] || "$python" -m venv "$venv" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    "$venv/bin/python" -m pip install --disable-pip-version-check --quiet "${@:5}" >"$log" 2>&1 ||
        { cat "$log" >&2; echo "installing failed: see above" >&2; return 1; }
    printf '%s' "$checksum" >"$stamp"
    rm -f "$log"
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
